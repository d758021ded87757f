// Makes the verifier available to the page, which runs these modules as one script on demand.

import { verify } from "./journal.js";

globalThis.verifyJournal = verify;
