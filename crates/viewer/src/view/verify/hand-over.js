// Hands the verifier to the page, which runs all these modules as one script when it is wanted.

import { verify } from "./journal.js";

globalThis.verifyJournal = verify;
