"""Validates messages by the table's JSON Schema, with the keywords that it uses."""

import json
import re
import urllib.request

TYPES = {"object": dict, "array": list, "string": str, "null": type(None)}
KNOWN = {
    *("$ref", "$schema", "$defs", "title", "description", "format", "type", "const", "pattern"),
    *("maxLength", "minLength", "maximum", "minimum", "items", "maxItems", "minItems"),
    *("properties", "required", "additionalProperties", "oneOf", "anyOf"),
}


class Schema:
    """Schema of a table."""

    def __init__(self, address):
        with urllib.request.urlopen(f"http://{address}/schema.json", timeout=10) as answer:
            self.root = json.load(answer)

    def definition(self, name):
        """Definition with this name."""
        return self.root["$defs"][name]

    def requests(self):
        """Requests by type."""
        variants = self.definition("Request")["oneOf"]
        return {variant["properties"]["type"]["const"]: variant for variant in variants}

    def refusals(self):
        """Codes of refusals."""
        return {code["const"] for code in self.definition("Refusal")["oneOf"]}

    def check(self, value, name):
        """Raises `ValueError` if a value does not match the definition with this name."""
        fault = self.fault(value, self.definition(name))
        if fault:
            raise ValueError(f"{fault}: {json.dumps(value)}")

    def fault(self, value, schema):
        """Fault of a value, or `None`."""
        unknown = set(schema) - KNOWN
        if unknown:
            raise NotImplementedError(f"the schema says {unknown}")
        if "$ref" in schema:
            fault = self.fault(value, self.definition(schema["$ref"].rsplit("/", 1)[1]))
            if fault:
                return fault
        if "const" in schema and not same(value, schema["const"]):
            return f"not {schema['const']}"
        if "type" in schema and not any(is_of(value, one) for one in listed(schema["type"])):
            return f"not of type {schema['type']}"
        for key, most in (("oneOf", 1), ("anyOf", None)):
            if key in schema:
                fits = sum(self.fault(value, one) is None for one in schema[key])
                if fits == 0 or (most and fits > most):
                    return f"fits {fits} of {key}"
        parts = {str: self._text, dict: self._object, list: self._array}
        judge = parts.get(type(value), self._number)
        return judge(value, schema)

    def _number(self, value, schema):
        if isinstance(value, bool) or value is None:
            return None
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            return "out of range"
        return None

    def _text(self, value, schema):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            return "too long or too short"
        if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value):
            return f"not like {schema['pattern']}"
        return None

    def _array(self, value, schema):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return "too many or too few items"
        fault = (self.fault(item, schema.get("items", {})) for item in value)
        return next(filter(None, fault), None)

    def _object(self, value, schema):
        missing = set(schema.get("required", ())) - set(value)
        if missing:
            return f"{missing} missing"
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is False and set(value) - set(properties):
            return "unknown fields"
        fault = (self.fault(value[key], part) for key, part in properties.items() if key in value)
        return next(filter(None, fault), None)


def listed(types):
    """List of one type or several."""
    return types if isinstance(types, list) else [types]


def is_of(value, name):
    """Checks the JSON type of a value; 1.0 is an integer."""
    if name == "boolean":
        return isinstance(value, bool)
    if name in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return name == "number" or value == int(value)
    return isinstance(value, TYPES[name])


def same(one, other):
    """Equality of JSON values, where `true` is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)
