import { code, text } from './cell.ts'
import type { Source, SourceRow } from './source.ts'

/**
 * one-api and new-api number their channels alike up to 25, with exceptions, and differently above. Taken over as
 * it is, the key of one vendor would be sent to another. Its `relay/channeltype/define.go` has the
 * numbers.
 */
interface OneApiType {
  readonly label: string
  /** The number here; without one, nothing here speaks to this vendor. */
  readonly type?: number
  /** The address that one-api uses when the channel has none, where our number has another. */
  readonly address?: string
}

const OPENAI = 1

const oneApiTypes: Readonly<Record<number, OneApiType>> = {
  2: { label: 'API2D', type: OPENAI, address: 'https://oa.api2d.net' },
  4: { label: 'CloseAI', type: OPENAI, address: 'https://api.closeai-proxy.xyz' },
  5: { label: 'OpenAI-SB', type: OPENAI, address: 'https://api.openai-sb.com' },
  26: { label: 'Baichuan', type: OPENAI, address: 'https://api.baichuan-ai.com' },
  27: { label: 'MiniMax', type: 35 },
  28: { label: 'Mistral', type: 42 },
  29: { label: 'Groq', type: OPENAI, address: 'https://api.groq.com/openai' },
  30: { label: 'Ollama', type: 4, address: 'http://localhost:11434' },
  31: { label: '01.AI', type: 31 },
  32: { label: 'StepFun', type: OPENAI, address: 'https://api.stepfun.com' },
  33: { label: 'AWS Claude', type: 33 },
  34: { label: 'Coze', type: 49, address: 'https://api.coze.com' },
  35: { label: 'Cohere', type: 34 },
  36: { label: 'DeepSeek', type: 43 },
  37: { label: 'Cloudflare', type: 39 },
  38: { label: 'DeepL' },
  39: { label: 'Together AI', type: OPENAI, address: 'https://api.together.xyz' },
  40: { label: 'Doubao', type: 45 },
  41: { label: 'Novita', type: OPENAI, address: 'https://api.novita.ai/v3/openai' },
  42: { label: 'Vertex AI', type: 41 },
  43: { label: 'Proxy' },
  44: { label: 'SiliconFlow', type: 40 },
  45: { label: 'xAI', type: 48 },
  46: { label: 'Replicate', type: 56 },
  47: { label: 'Baidu V2', type: 46 },
  48: { label: 'iFlytek Spark V2', type: OPENAI, address: 'https://spark-api-open.xf-yun.com' },
  49: { label: 'Alibaba Bailian', type: 17 },
  50: { label: 'OpenAI compatible', type: OPENAI },
  51: { label: 'Gemini (OpenAI)', type: 24 },
}

const LAST_COMMON = 25
/** Above every number that a provider here has. */
const UNKNOWN_FROM = 100_000

export interface ConvertedType {
  readonly type: number
  readonly address: string
  /** What the operator should know, when the number changed. */
  readonly detail: string | undefined
}

/** new-api has always had these columns, one-api never. */
export function isOneApi({ tables }: Source): boolean {
  const channels = tables.get('channels')
  return channels !== undefined && !['auto_ban', 'tag', 'setting'].some((column) => channels.has(column))
}

export function convertOneApiType(row: SourceRow): ConvertedType {
  const type = code(row, 'type')
  const address = text(row, 'base_url').trim()
  const vendor = oneApiTypes[type]
  if (vendor === undefined)
    return type <= LAST_COMMON
      ? { type, address, detail: undefined }
      : { type: UNKNOWN_FROM + type, address, detail: `type ${type} of one-api is not known` }
  if (vendor.type === undefined)
    return { type: UNKNOWN_FROM + type, address, detail: `${vendor.label} is not supported here` }
  // one-api appends the path without its /v1 here, so the version is part of the address.
  const own = type === 50 ? address.replace(/\/v1\/*$/, '') : address
  const detail = vendor.type === type ? undefined : `${vendor.label}: type ${type} there, ${vendor.type} here`
  return { type: vendor.type, address: own || (vendor.address ?? ''), detail }
}
