import type { MemberSource } from '../members/member-row.ts'
import type { StringBounds } from './string-limit.ts'

/** What a vendor demands of the JSON schema of a tool beside an object without unions at the top. */
export interface SchemaForm {
  /** A list must say what its items are. */
  readonly needsItems: boolean
  /** `required` may name listed properties only. */
  readonly needsListedNames: boolean
  /** Names of arguments that the vendor takes. Absent: all. */
  readonly propertyNames?: StringBounds
  readonly source: MemberSource
}

/** The form of each format; `own` is a format that one vendor alone speaks. */
export const schemaForms = {
  anthropic: {
    needsItems: false,
    needsListedNames: false,
    // https://github.com/anthropics/claude-code/issues/79418
    propertyNames: { charactersMax: 64, refused: /[^a-zA-Z0-9_.-]/ },
    source: {
      url: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use',
      date: '2026-11-29',
    },
  },
  openai: {
    needsItems: true,
    needsListedNames: false,
    source: { url: 'https://platform.openai.com/docs/guides/function-calling', date: '2026-11-29' },
  },
  responses: {
    needsItems: true,
    needsListedNames: false,
    source: { url: 'https://platform.openai.com/docs/guides/function-calling', date: '2026-11-29' },
  },
  gemini: {
    needsItems: true,
    needsListedNames: true,
    source: { url: 'https://ai.google.dev/api/caching#Schema', date: '2026-11-29' },
  },
  own: {
    needsItems: true,
    needsListedNames: true,
    source: {
      url: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolInputSchema.html',
      date: '2026-11-29',
    },
  },
} as const satisfies Readonly<Record<string, SchemaForm>>
