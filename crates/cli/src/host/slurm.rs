//! The task of a Slurm job array that the program plays.

use std::ffi::OsString;
use war::i18n::{Text, text};
use war::support::digits;
use war_simulate::simulate::Shard;

/// The shard of this task: its place among all tasks of the array.
///
/// The error says which variable of Slurm is missing or makes no sense.
pub(crate) fn shard() -> Result<Shard, Text> {
    shard_of(&|name| std::env::var_os(name))
}

/// The shard where the variables have these values.
fn shard_of(value: &dyn Fn(&str) -> Option<OsString>) -> Result<Shard, Text> {
    let number = |variable: &str| {
        let found = value(variable).filter(|found| !found.is_empty());
        let found = found.ok_or_else(|| text!(SlurmMissing, variable = variable))?;
        let found = found.to_string_lossy();
        let number: Option<u32> = digits::whole(&found);
        number.ok_or_else(|| text!(SlurmNumber, variable = variable, value = found.as_ref()))
    };
    let task = number("SLURM_ARRAY_TASK_ID")?;
    let first = number("SLURM_ARRAY_TASK_MIN")?;
    let last = number("SLURM_ARRAY_TASK_MAX")?;
    let step = number("SLURM_ARRAY_TASK_STEP")?;
    let tasks = number("SLURM_ARRAY_TASK_COUNT")?;
    // How many steps a task is behind the first one, if it is a whole number of them.
    let steps = |to: u32| {
        let behind = to.checked_sub(first)?;
        let is_whole = behind.checked_rem(step)? == 0;
        is_whole.then(|| behind / step)
    };
    let is_even = steps(last).is_some_and(|steps| u64::from(steps) + 1 == u64::from(tasks));
    let place = steps(task).filter(|_| is_even);
    let shard = place.and_then(|place| Shard::new(u64::from(place) + 1, tasks.into()));
    shard.ok_or_else(|| {
        text!(
            SlurmUneven,
            task = task.to_string(),
            tasks = tasks.to_string(),
            first = first.to_string(),
            last = last.to_string(),
            step = step.to_string()
        )
    })
}
