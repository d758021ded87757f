// Configuration of eslint for the scripts of the table's page and the viewer's page, their drawings
// and their tests.

import { load } from "./packages.mjs";

const js = load("@eslint/js");
const globals = load("globals");

/** Restricts mutable state outside of functions to `store.js`. */
const STATE_IS_IN_THE_STORE = [
  [":matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind!='const']", "a variable"],
  [
    ":matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > " +
      ":matches(NewExpression, ObjectExpression, ArrayExpression, CallExpression)" +
      "[parent.id.name!=/^[A-Z][A-Z0-9_]*$/]",
    "an object that is no constant",
  ],
  [
    ":matches(AssignmentExpression, UpdateExpression) > MemberExpression.left[object.name=/^[A-Z][A-Z0-9_]*$/]",
    "a changed constant",
  ],
  [
    ":matches(AssignmentExpression, UpdateExpression) > MemberExpression.left[object.object.name=/^[A-Z][A-Z0-9_]*$/]",
    "a changed constant",
  ],
  [
    "UnaryExpression[operator='delete'] > MemberExpression[object.name=/^[A-Z][A-Z0-9_]*$/]",
    "a changed constant",
  ],
  [
    "CallExpression > MemberExpression[object.name=/^[A-Z][A-Z0-9_]*$/]" +
      "[property.name=/^(push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear)$/]",
    "a changed constant",
  ],
  ["PropertyDefinition[static=true]", "a static property"],
].map(([selector, what]) => ({
  selector,
  message: `State of the page is in store.js, and this is ${what}.`,
}));

const STRICT = {
  ...js.configs.recommended.rules,
  "array-callback-return": "error",
  "consistent-return": "error",
  eqeqeq: "error",
  "no-console": "error",
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
};

export default [
  {
    files: [
      "crates/table/src/server/page/**/*.js",
      "crates/viewer/src/view/**/*.js",
      "crates/viewer/src/drawings/**/*.js",
    ],
    languageOptions: { ecmaVersion: 2025, globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: STRICT,
  },
  {
    files: ["crates/table/src/server/page/tools/*.mjs", "tests/page/*.mjs"],
    languageOptions: { ecmaVersion: 2025, globals: globals.node },
    rules: { ...STRICT, "no-console": "off" },
  },
  {
    // A name must not consist of combining marks alone, so the range of these marks in a pattern is
    // intended.
    files: ["crates/viewer/src/view/verify/fields.js"],
    rules: { "no-misleading-character-class": "off" },
  },
  {
    files: ["crates/table/src/server/page/**/*.js"],
    ignores: ["crates/table/src/server/page/state/store.js"],
    rules: { "no-restricted-syntax": ["error", ...STATE_IS_IN_THE_STORE] },
  },
];
