import { isRecord, listAt, type JsonObject } from '../json.ts'

/** Changes the objects of a list, or leaves them out (`undefined`); the same object where nothing changes. */
export function editList(
  object: JsonObject,
  name: string,
  edit: (item: JsonObject) => JsonObject | undefined,
): JsonObject {
  const list = listAt(object, name)
  const edited = list.map((item) => (isRecord(item) ? edit(item) : item))
  if (edited.every((item, at) => item === list[at])) return object
  return { ...object, [name]: edited.filter((item) => item !== undefined) }
}
