import type { MemberSource } from '../members/member-row.ts'
import type { LimitedUpstream } from './string-limits.ts'

/** How many stop sequences a vendor takes in a converted request. */
export interface StopLimit {
  readonly countMax: number
  readonly wires: readonly (LimitedUpstream['wire'] | 'gemini')[]
  /** Ids of providers. Absent: all that speak the format. */
  readonly providers?: readonly string[]
  readonly source: MemberSource
}

/** The first row that fits decides. */
export const stopLimits: readonly StopLimit[] = [
  {
    countMax: 1,
    wires: ['openai'],
    providers: ['zhipu'],
    source: { url: 'https://docs.bigmodel.cn/api-reference', date: '2026-11-29' },
  },
  {
    countMax: 5,
    wires: ['openai'],
    providers: ['moonshot'],
    source: { url: 'https://platform.moonshot.cn/docs/api/chat', date: '2026-11-29' },
  },
  {
    countMax: 16,
    wires: ['openai'],
    providers: ['deepseek'],
    source: { url: 'https://api-docs.deepseek.com/api/create-chat-completion', date: '2026-11-29' },
  },
  {
    countMax: 4,
    wires: ['openai'],
    source: {
      url: 'https://platform.openai.com/docs/api-reference/chat/create#chat_create-stop',
      date: '2026-11-29',
    },
  },
  {
    countMax: 5,
    wires: ['gemini'],
    source: { url: 'https://ai.google.dev/api/generate-content#generationconfig', date: '2026-11-29' },
  },
]

/** Finds the limit of a converted request; `undefined` where none is known. */
export function findStopLimit(wire: StopLimit['wires'][number], provider: string): number | undefined {
  return stopLimits.find(
    ({ wires, providers }) => wires.includes(wire) && (providers?.includes(provider) ?? true),
  )?.countMax
}
