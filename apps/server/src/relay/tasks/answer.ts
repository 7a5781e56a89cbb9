import { writeWhole } from '../deliver/outlet.ts'
import type { Call } from '../call.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

interface JsonAnswer {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMs?: number | undefined
}

export function answerJson(call: Call, { status, body, retryAfterMs }: JsonAnswer): void {
  writeWhole(call, { status, type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)), retryAfterMs })
}
