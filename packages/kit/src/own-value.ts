/** Returns a table's own value; `undefined` for a name such as `constructor` that the table only inherits. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
