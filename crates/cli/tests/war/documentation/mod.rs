//! README and book: examples that run, links that lead somewhere, and nothing left out.

mod complete;
mod example;
mod links;
mod page;
mod run;
mod settings;
