//! ES modules in one script: a page that opens from disk can't import others.

use crate::drawings::Module;
use std::fmt::Write;

/// One script of these modules, each of which imports only what comes before it.
///
/// A module becomes a function that returns what it exports, so that names in it are its own.
/// Imports, the names of exports and comments stand on lines of their own; comments are left out.
pub(super) fn joined(modules: &[Module]) -> String {
    let mut script = String::new();
    for module in modules {
        let mut exports = Vec::new();
        let _ = writeln!(script, "const {} = (() => {{", identifier(module.name));
        for line in module.code.lines().filter(|line| !is_comment(line)) {
            if let Some(import) = imported(line) {
                script.push_str(&import);
            } else if let Some(rest) = line.strip_prefix("export ") {
                exports.extend(exported(rest));
                script.push_str(rest);
            } else {
                script.push_str(line);
            }
            script.push('\n');
        }
        let _ = writeln!(script, "return {{ {} }};\n}})();", exports.join(", "));
    }
    script
}

/// Whether a line holds nothing but a comment or a part of one.
fn is_comment(line: &str) -> bool {
    let start = line.trim_start();
    ["//", "/**", "* ", "*/"]
        .iter()
        .any(|mark| start.starts_with(mark))
        || start == "*"
}

/// What a line stands for that imports from another module.
fn imported(line: &str) -> Option<String> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from \"./")?;
    let module = identifier(from.strip_suffix(".js\";")?);
    Some(format!("const {names} = {module};"))
}

/// The name that a declaration exports.
fn exported(declaration: &str) -> Option<&str> {
    let mut words = declaration.split([' ', '(', '=', ';']);
    words.find(|word| !["async", "function", "function*", "const", "let", "class"].contains(word))
}

fn identifier(name: &str) -> String {
    format!("module_{}", name.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::joined;
    use crate::drawings::Module;

    #[test]
    fn modules_share_what_they_export_and_nothing_else() {
        let one = "// One.\nconst hidden = 1;\n/**\n * Two:\n *\n * three.\n */\nexport const SHOWN = hidden;\nexport async function go(x) {\n}\nexport function* each() {\n}";
        let two = "import { SHOWN, go } from \"./first-one.js\";\nconst hidden = 2;";
        let script = joined(&[
            Module {
                name: "first-one",
                code: one,
            },
            Module {
                name: "two",
                code: two,
            },
        ]);
        let expected = "\
            const module_first_one = (() => {\nconst hidden = 1;\nconst SHOWN = hidden;\n\
            async function go(x) {\n}\nfunction* each() {\n}\nreturn { SHOWN, go, each };\n})();\n\
            const module_two = (() => {\nconst { SHOWN, go } = module_first_one;\n\
            const hidden = 2;\nreturn {  };\n})();\n";
        assert_eq!(script, expected);
    }
}
