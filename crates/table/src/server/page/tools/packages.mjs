// Where `.ci/page` installs the packages that `package.json` names: not here, where they would be
// packed and searched.

import { createRequire } from "node:module";

/** Loads a package by its name. */
export const load = createRequire(new URL("../../../../../../target/page-tools/", import.meta.url));
