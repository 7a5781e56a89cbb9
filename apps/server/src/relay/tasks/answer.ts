import { writeWhole } from '../stations/deliver/outlet.ts'
import type { Call } from '../call.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMs?: number | undefined
  readonly isError?: boolean
}

export function answerJson(call: Call, { body, ...answer }: JsonAnswer): void {
  writeWhole(call, { ...answer, type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) })
}
