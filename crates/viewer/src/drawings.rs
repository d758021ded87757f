//! Drawings of playing cards, shared by all web pages of this package.
//!
//! The drawings are ES modules, to be served or embedded unchanged. A page imports `cards.js`:
//! `face("Jc", label)` is the jack of clubs, `face("14", label)` a card with only a number,
//! `back(label)` a face-down card, and `empty(label)` an empty place for one. The label is for
//! screen readers, as the drawings contain no words. Shared shapes are added to the page once,
//! under ids that begin with `card-`.
//!
//! A page can set the colours in its styles: `--card-paper`, `--card-edge`, `--card-panel`,
//! `--card-red`, `--card-black`, `--card-plain`, `--card-ring`, `--card-back` and
//! `--card-back-line`.
//!
//! ```
//! use war_viewer::drawings::DRAWING_MODULES;
//!
//! let [.., cards] = DRAWING_MODULES else { panic!("modules") };
//! assert_eq!(cards.name, "cards");
//! assert!(cards.code.contains("export function face("));
//! ```

/// A script that others import by name.
#[derive(Debug, Clone, Copy)]
pub struct ScriptModule {
    /// File name without `.js`.
    pub name: &'static str,
    /// Source code.
    pub code: &'static str,
}

/// Modules of the drawings, each after those that it imports.
pub const DRAWING_MODULES: &[ScriptModule] = &[
    ScriptModule {
        name: "svg",
        code: include_str!("drawings/svg.js"),
    },
    ScriptModule {
        name: "glyphs",
        code: include_str!("drawings/glyphs.js"),
    },
    ScriptModule {
        name: "pips",
        code: include_str!("drawings/pips.js"),
    },
    ScriptModule {
        name: "held-items",
        code: include_str!("drawings/held-items.js"),
    },
    ScriptModule {
        name: "courts",
        code: include_str!("drawings/courts.js"),
    },
    ScriptModule {
        name: "back",
        code: include_str!("drawings/back.js"),
    },
    ScriptModule {
        name: "cards",
        code: include_str!("drawings/cards.js"),
    },
];
