//! Items, imports and paths of a source file.

use super::source::Source;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

/// Path as written, such as `super::deck::Deck` or `super::*`. A macro name ends with `!`.
#[derive(Debug, Clone)]
pub(super) struct PathUse {
    /// Module that contains the path.
    pub(super) module: Vec<String>,
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

/// Module, in a separate file or inline.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Path of the module's file.
    pub(super) file: String,
    /// Items defined in the module.
    pub(super) items: BTreeSet<String>,
    /// Imported names, each with its path.
    pub(super) imports: BTreeMap<String, Vec<String>>,
    /// Modules imported with `*`.
    pub(super) globs: Vec<Vec<String>>,
}

/// Modules of a file by name, and the paths used in them.
pub(super) struct FileNames<'a> {
    source: &'a Source,
    module: Vec<String>,
    pub(super) modules: BTreeMap<Vec<String>, Module>,
    pub(super) named: Vec<PathUse>,
    /// Modules that exist only in tests.
    pub(super) tests: Vec<Vec<String>>,
}

impl<'a> FileNames<'a> {
    /// Reads a file, except for its tests.
    pub(super) fn of(source: &'a Source) -> Self {
        let mut names = Self {
            source,
            module: source.module(),
            modules: BTreeMap::new(),
            named: Vec::new(),
            tests: Vec::new(),
        };
        names.here();
        names.visit_file(&source.file);
        names
    }

    fn here(&mut self) -> &mut Module {
        let module = self.modules.entry(self.module.clone()).or_default();
        module.file.clone_from(&self.source.path);
        module
    }

    fn name(&mut self, segments: Vec<String>, line: usize) {
        let module = self.module.clone();
        self.named.push(PathUse {
            module,
            segments,
            line,
        });
    }

    /// Records the names that an import brings into scope.
    fn import(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |ident: &syn::Ident| [before, &[ident.unraw().to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.import(&path.tree, &with(&path.ident)),
            syn::UseTree::Name(name) => self.bring(with(&name.ident), &name.ident, None),
            syn::UseTree::Rename(renamed) => {
                self.bring(with(&renamed.ident), &renamed.ident, Some(&renamed.rename));
            }
            syn::UseTree::Glob(glob) => {
                let all = [before, &["*".to_owned()]].concat();
                self.name(all, line(glob.star_token.spans[0]));
                self.here().globs.push(before.to_vec());
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before);
                }
            }
        }
    }

    fn bring(&mut self, mut path: Vec<String>, ident: &syn::Ident, renamed: Option<&syn::Ident>) {
        // `use a::{self}` means `use a`.
        if path.len() > 1 && ident == "self" {
            path.pop();
        }
        let last = path.last().expect("a path has a name").clone();
        let name = renamed.map_or(last, |renamed| renamed.unraw().to_string());
        self.name(path.clone(), line(ident.span()));
        self.here().imports.insert(name, path);
    }

    /// Records the paths in a macro's arguments, which `syn` leaves as tokens.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Vec::new();
        let mut first = 0;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(colon) if colon.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end_path(&mut path, first, None);
                        first = line(ident.span());
                    }
                    path.push(ident.unraw().to_string());
                }
                TokenTree::Group(group) => {
                    self.end_path(&mut path, first, None);
                    self.tokens(group.stream());
                }
                TokenTree::Punct(mark) if mark.as_char() == '!' => {
                    self.end_path(&mut path, first, Some("!"));
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.end_path(&mut path, first, None);
                }
            }
            colons = 0;
        }
        self.end_path(&mut path, first, None);
    }

    fn end_path(&mut self, path: &mut Vec<String>, line: usize, mark: Option<&str>) {
        let mut path = std::mem::take(path);
        if let (Some(last), Some(mark)) = (path.last_mut(), mark) {
            last.push_str(mark);
        }
        if path.len() > 1 || mark.is_some() && !path.is_empty() {
            self.name(path, line);
        }
    }
}

impl<'ast> Visit<'ast> for FileNames<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item;
        if attributes(item).iter().any(is_for_tests) {
            if let Item::Mod(module) = item {
                let name = module.ident.unraw().to_string();
                self.tests.push([&self.module[..], &[name]].concat());
            }
            return;
        }
        let ident = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => item.ident.as_ref(),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(ident) = ident {
            self.here().items.insert(ident.unraw().to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.content.is_some() {
            self.module.push(module.ident.unraw().to_string());
            self.here();
            visit::visit_item_mod(self, module);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        let segments: Vec<_> = segments
            .map(|segment| segment.ident.unraw().to_string())
            .collect();
        if segments.len() > 1 {
            self.name(segments, line(path.segments[0].ident.span()));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        let segments = invoked.path.segments.iter();
        let mut segments: Vec<_> = segments.map(|segment| segment.ident.to_string()).collect();
        if let Some(last) = segments.last_mut() {
            last.push('!');
        }
        self.name(segments, line(invoked.path.segments[0].ident.span()));
        self.tokens(invoked.tokens.clone());
    }

    /// Records the paths in an attribute, such as `#[serde(with = "crate::hex")]`.
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let syn::Meta::List(list) = &attribute.meta else {
            return;
        };
        for token in list.tokens.clone() {
            if let TokenTree::Literal(literal) = token
                && let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                && let Ok(path) = text.parse_with(syn::Path::parse_mod_style)
                && path.segments.len() > 1
            {
                let segments = path.segments.iter();
                let segments = segments.map(|segment| segment.ident.to_string()).collect();
                self.name(segments, line(literal.span()));
            }
        }
    }

    /// Skips visibilities: `pub(in crate::room)` is not a use.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

fn line(span: proc_macro2::Span) -> usize {
    span.start().line
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    }
}
