//! Documents that need no other file: scripts bundled into one, a template filled in, and a policy
//! that allows only these scripts.

use crate::drawings::ScriptModule;
use ct_codecs::{Base64, Encoder};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Bundles modules into one script, each after those that it imports.
///
/// A module becomes a function that returns its exports, so that its other names stay private.
/// Every import, export and comment must start on its own line, an import must be one line, and no
/// text may have several; comments, indentation and needless line breaks are left out. Imports name
/// modules by relative paths. A module can't import itself through others.
#[must_use]
pub fn bundle_modules(modules: &[ScriptModule]) -> String {
    let mut script = String::new();
    let mut done = BTreeSet::new();
    for module in modules {
        add_module(&mut script, &mut done, modules, module);
    }
    script
}

/// Adds a module after those that it imports, unless it is there already.
fn add_module(
    script: &mut String,
    done: &mut BTreeSet<String>,
    modules: &[ScriptModule],
    module: &ScriptModule,
) {
    if !done.insert(module.name.to_owned()) {
        return;
    }
    let mut exports = Vec::new();
    let mut body = String::new();
    for line in module.code.lines().filter(|line| !is_comment(line)) {
        if let Some((names, imported)) = parse_import(line, module.name) {
            if let Some(other) = modules.iter().find(|other| other.name == imported) {
                add_module(script, done, modules, other);
            }
            // Writing to a string never fails.
            let _ = write!(body, "const {names} = {};", identifier(&imported));
        } else if let Some(rest) = line.strip_prefix("export ") {
            exports.extend(exported_name(rest));
            body.extend(without_types(rest));
        } else {
            body.extend(without_types(line.trim_start()));
        }
        end_line(&mut body);
    }
    let name = identifier(module.name);
    let exports = exports.join(", ");
    let _ = writeln!(
        script,
        "const {name} = (() => {{{body}return {{ {exports} }};}})();"
    );
}

/// Ends a line of a script or style, unless the next one may follow on the same line.
fn end_line(code: &mut String) {
    if !code.is_empty() && !code.ends_with(['\n', '{', '(', '[', ',', ';']) {
        code.push('\n');
    }
}

/// Returns `true` if a line consists of a comment, or part of one.
fn is_comment(line: &str) -> bool {
    let line = line.trim();
    let starts = ["//", "/**", "* ", "*/"];
    let is_part = starts.iter().any(|mark| line.starts_with(mark)) || line == "*";
    // A comment on a type stands before the code that it is about.
    is_part
        && line
            .split_once("*/")
            .is_none_or(|(_, code)| code.is_empty())
}

/// Splits a line of code at the comments on types in it, which are left out.
fn without_types(line: &str) -> impl Iterator<Item = &str> {
    let mut parts = line.split("/** @");
    let code = parts.next().into_iter();
    code.chain(parts.map(|part| match part.split_once("*/") {
        Some((_, code)) => code.trim_start(),
        None => part,
    }))
}

/// Parses an `import` line of a module: what it declares, and the name of the imported module.
/// Returns `None` for other lines.
fn parse_import<'a>(line: &'a str, module: &str) -> Option<(&'a str, String)> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from \"")?;
    let mut path: Vec<_> = module.split('/').collect();
    path.pop();
    for part in from.strip_suffix(".js\";")?.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()),
            name => path.push(name),
        }
    }
    Some((names.strip_prefix("* as ").unwrap_or(names), path.join("/")))
}

/// Returns the name that a declaration exports.
fn exported_name(declaration: &str) -> Option<&str> {
    let mut words = declaration.split([' ', '(', '=', ';']);
    words.find(|word| !["async", "function", "function*", "const", "let", "class"].contains(word))
}

fn identifier(name: &str) -> String {
    format!("module_{}", name.replace(['-', '/'], "_"))
}

/// Joins style sheets, without comments, indentation and needless line breaks.
#[must_use]
pub fn bundle_styles<'a>(sheets: impl IntoIterator<Item = &'a str>) -> String {
    let mut style = String::new();
    for sheet in sheets {
        let mut parts = sheet.split("/*");
        let code: String = parts
            .next()
            .into_iter()
            .chain(parts.filter_map(|part| part.split_once("*/").map(|(_, code)| code)))
            .collect();
        for line in code.lines().map(str::trim) {
            style.push_str(line);
            end_line(&mut style);
        }
    }
    style
}

/// Replaces the marks of a template, such as `{{style}}`, with the parts, which have the order of
/// their marks. Marks within a part are left alone.
#[must_use]
pub fn fill_template(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    for (name, part) in parts {
        let mark = format!("{{{{{name}}}}}");
        if let Some((before, after)) = rest.split_once(&mark) {
            page.push_str(before);
            page.push_str(part);
            rest = after;
        }
    }
    page + rest
}

/// Returns the content security policy that allows only this style and these scripts, and nothing
/// else to be loaded.
#[must_use]
pub fn security_policy(style: &str, scripts: &[&str]) -> String {
    let hash = |text: &str| {
        let hash = Base64::encode_to_string(Sha256::digest(text.as_bytes()));
        format!("'sha256-{}'", hash.unwrap_or_default())
    };
    let scripts: Vec<_> = scripts.iter().map(|script| hash(script)).collect();
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(style),
        scripts.join(" ")
    )
}

/// Writes JSON so that it can't end the element that contains it.
#[must_use]
pub fn embed_json(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Writes a text so that it can stand in an element or in the value of an attribute.
#[must_use]
pub fn embed_text(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{bundle_modules, bundle_styles, embed_text};
    use crate::drawings::ScriptModule;

    #[test]
    fn modules_share_only_their_exports() {
        let one = "// One.\n  const hidden = 1;\n/**\n * Two:\n *\n * three.\n */\nexport const SHOWN = /** @type {T} */ (\n/** @type {T} */ (hidden));\nexport async function go(x) {\n}\nexport function* each() {\n}";
        let two = "import { SHOWN, go } from \"../first-one.js\";\nimport * as three from \"./three.js\";\nconst hidden = 2;";
        let modules = [("a/two", two), ("a/three", ""), ("first-one", one)];
        let modules = modules.map(|(name, code)| ScriptModule { name, code });
        let expected = "\
            const module_first_one = (() => {const hidden = 1;const SHOWN = ((hidden));\
            async function go(x) {}\nfunction* each() {}\nreturn { SHOWN, go, each };})();\n\
            const module_a_three = (() => {return {  };})();\n\
            const module_a_two = (() => {const { SHOWN, go } = module_first_one;\
            const three = module_a_three;const hidden = 2;return {  };})();\n";
        assert_eq!(bundle_modules(&modules), expected);
    }

    #[test]
    fn an_embedded_text_is_no_markup() {
        let text = "<b title=\"x\">&amp;'";
        let expected = "&lt;b title=&quot;x&quot;&gt;&amp;amp;'";
        assert_eq!(embed_text(text), expected);
    }

    #[test]
    fn comments_in_style_sheets_are_left_out() {
        let sheets = ["/* One. */\na {\n  b: c; /* Why.\n  Two. */\n}\n", "d {}"];
        assert_eq!(bundle_styles(sheets), "a {b: c;}\nd {}\n");
    }
}
