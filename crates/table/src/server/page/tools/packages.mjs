// Loader of the packages in `package.json`. `.ci/page` installs them in `target`, so that they are
// neither part of the crate's package nor found by searches in this folder.

import { createRequire } from "node:module";

/** Loads a package by its name. */
export const load = createRequire(new URL("../../../../../../target/page-tools/", import.meta.url));
