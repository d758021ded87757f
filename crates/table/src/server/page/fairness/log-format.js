// The table's signatures, where the browser can check them: over https or on the machine itself.

import { bytes, utf8 } from "../sha256.js";

/**
 * Whether a signature is that of a text by the owner of an ed25519 key; `null` where the
 * browser can't tell. Key and signature are hexadecimal digits.
 *
 * @param {string} key
 * @param {string} text
 * @param {string} signature
 * @returns {Promise<boolean | null>}
 */
export async function isSigned(key, text, signature) {
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const { subtle } = globalThis.crypto;
  if (!subtle) return null;
  try {
    const imported = await subtle.importKey("raw", bytes(key), "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", imported, bytes(signature), utf8(text));
  } catch (error) {
    // An old browser knows no such keys; any other failure is a key that is none.
    return error instanceof Error && error.name === "NotSupportedError" ? null : false;
  }
}
