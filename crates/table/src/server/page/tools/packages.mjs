// Loader of the packages in `package.json`. `.ci/page` installs them in `target`, so that they are
// neither packaged nor searched here.

import { createRequire } from "node:module";

/** Loads a package by its name. */
export const load = createRequire(new URL("../../../../../../target/page-tools/", import.meta.url));
