import { writeWhole } from '../deliver/outlet.ts'
import type { Call } from '../call.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export function answerJson(call: Call, { status, body }: { status: number; body: unknown }): void {
  writeWhole(call, { status, type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) })
}
