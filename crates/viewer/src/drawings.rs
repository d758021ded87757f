//! Drawings of playing cards for web pages: one set for all pages of this package.
//!
//! They are ES modules, to be served or embedded as they are. `cards.js` is what a page
//! imports: `face("Jc", label)` is the jack of clubs, `face("14", label)` a card that has
//! only a number, `back(label)` a card that lies face down, and `empty(label)` a place for
//! one. The label is for screen readers: the drawings know no words. What they share is kept
//! in the page once, under ids that begin with `card-`.
//!
//! A page may set the colours in its styles: `--card-paper`, `--card-edge`, `--card-panel`,
//! `--card-red`, `--card-black`, `--card-plain`, `--card-back` and `--card-back-line`.
//!
//! ```
//! use war_viewer::drawings::MODULES;
//!
//! let [.., cards] = MODULES else { panic!("modules") };
//! assert_eq!(cards.name, "cards");
//! assert!(cards.code.contains("export function face("));
//! ```

/// A script that others import by its name.
#[derive(Debug, Clone, Copy)]
pub struct Module {
    /// The name of its file, without `.js`.
    pub name: &'static str,
    /// What is in it.
    pub code: &'static str,
}

/// The modules, each after those that it imports.
pub const MODULES: &[Module] = &[
    Module {
        name: "svg",
        code: include_str!("drawings/svg.js"),
    },
    Module {
        name: "glyphs",
        code: include_str!("drawings/glyphs.js"),
    },
    Module {
        name: "pips",
        code: include_str!("drawings/pips.js"),
    },
    Module {
        name: "attributes",
        code: include_str!("drawings/attributes.js"),
    },
    Module {
        name: "courts",
        code: include_str!("drawings/courts.js"),
    },
    Module {
        name: "back",
        code: include_str!("drawings/back.js"),
    },
    Module {
        name: "cards",
        code: include_str!("drawings/cards.js"),
    },
];
