import { parseObject } from '@tollgate/kit/json'
import { code, text } from './cell.ts'
import type { SourceRow } from './source.ts'

/**
 * one-api keeps parts of a credential and the extra field of a vendor in the JSON column `config`. Returns the
 * row with these in the columns of new-api.
 */
export function mergeOneApiConfig(row: SourceRow): SourceRow {
  const config = parseObject(text(row, 'config')) ?? {}
  const member = (name: string): string => (typeof config[name] === 'string' ? config[name].trim() : '')
  const prompt = text(row, 'system_prompt').trim()
  const setting = prompt === '' ? '' : JSON.stringify({ system_prompt: prompt, system_prompt_override: true })
  const [first, ...others] = [member('ak'), member('sk'), member('region')]
  const isAws = code(row, 'type') === AWS && first !== ''
  const key = isAws ? [first, ...others].join('|') : member('vertex_ai_adc') || text(row, 'key')
  return { ...row, key, other: text(row, 'other').trim() || extraField(code(row, 'type'), member), setting }
}

const AWS = 33

/** The member that one-api reads for a vendor, by its number there. */
const EXTRA_FIELDS: Readonly<Record<number, string>> = {
  3: 'api_version',
  17: 'plugin',
  18: 'api_version',
  21: 'library_id',
  34: 'user_id',
  37: 'user_id',
  42: 'region',
}

function extraField(type: number, member: (name: string) => string): string {
  const name = EXTRA_FIELDS[type]
  return name === undefined ? '' : member(name)
}
