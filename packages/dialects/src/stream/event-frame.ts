import type { JsonObject } from '../json.ts'

/** A server-sent event of a dialect that names its events: the `event:` line repeats the type. */
export function eventFrame(event: JsonObject): Buffer {
  return Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
}
