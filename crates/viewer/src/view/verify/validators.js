// Validators of values: each is a function that returns the value with its fields in canonical order,
// or throws its fault.

import { UnknownName, ensure } from "./fault.js";
import { UnsupportedNumber } from "./json-reader.js";

/** Creates a validator of whole numbers from `least` to `most`. */
export const integer = (least, most) => (value) => {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  ensure(isNumber && value >= least && value <= most, "WJ103");
  return value;
};

/** Creates a validator of texts that match a pattern. */
export const text = (pattern) => (value) => {
  ensure(typeof value === "string" && pattern.test(value), "WJ103");
  return value;
};

/** Creates a validator of these values; others of the same type count as unknown names. */
export const oneOf =
  (...values) =>
  (value) => {
    ensure(typeof value === typeof values[0], "WJ103");
    if (!values.includes(value)) throw new UnknownName("WJ202");
    return value;
  };

/** Combines validators, which are applied one after the other. */
export const allOf =
  (...validators) =>
  (value) =>
    validators.reduce((read, validate) => validate(read), value);

/** Creates a validator that also accepts null. */
export const orNull = (validate) => (value) => (value === null ? null : validate(value));

/** Creates a validator of lists whose items are all valid. */
export const list = (validate) => (value) => {
  ensure(Array.isArray(value), "WJ103");
  return value.map(validate);
};

/** Creates a validator of lists of exactly two valid values. */
export const pair = (validate) => (value) => {
  ensure(Array.isArray(value) && value.length === 2, "WJ103");
  return value.map(validate);
};

/** Creates a validator of objects with these fields, in canonical order; those with `?` are
 *  optional. */
export function fields(validators) {
  const known = new Map();
  for (const [name, validate] of Object.entries(validators)) {
    known.set(name.replace("?", ""), { validate, isOptional: name.endsWith("?") });
  }
  return (value) => {
    ensure(value instanceof Map, "WJ103");
    const read = new Map();
    for (const [name, part] of value) {
      if (!known.has(name)) throw new UnknownName();
      read.set(name, known.get(name).validate(part));
    }
    const found = {};
    for (const [name, { isOptional }] of known) {
      ensure(isOptional || read.has(name), "WJ103");
      if (read.has(name)) found[name] = read.get(name);
    }
    return found;
  };
}

/** Creates a validator of objects with exactly one of these fields, which is their kind. */
export function oneField(validators) {
  const known = new Map(Object.entries(validators));
  return (value) => {
    if (typeof value === "string" && !known.has(value)) throw new UnknownName();
    ensure(value instanceof Map && value.size === 1, "WJ103");
    const [[name, part]] = value;
    if (!known.has(name)) throw new UnknownName();
    return { [name]: known.get(name)(part) };
  };
}

/** Serializes a value with fields in canonical order as compact JSON, its canonical form. */
export function toJson(value) {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (value instanceof UnsupportedNumber) return value.token;
  const field = (name, part) => `${JSON.stringify(name)}:${toJson(part)}`;
  if (value instanceof Map) return `{${Array.from(value, ([name, part]) => field(name, part)).join(",")}}`;
  return `{${Object.keys(value)
    .map((name) => field(name, value[name]))
    .join(",")}}`;
}

/** Returns true if two values in canonical form are equal. */
export function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

/** Copies an object without some of its fields. */
export function omitFields(record, ...names) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Returns the name and the value of an object's only field. */
export function onlyField(value) {
  return Object.entries(value)[0];
}
