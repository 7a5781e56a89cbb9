import type { z } from 'zod'

export type Words = Readonly<Record<'en' | 'zh', string>>

export type OptionKind =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'choice'
  | 'text'
  | 'secret'
  | 'list'
  | 'lines'
  | 'json'

/**
 * The structure of a JSON setting that is edited as a table:
 *
 * - `numbers`, `texts`: an object with values of that type by name
 * - `nested-numbers`: an object with `numbers` objects by name
 * - `nested-lists`: an object by name of objects with lists of strings by name
 * - `names`: a list of strings
 * - `labelled-texts`: a list of objects with one text each
 * - `tiers`: a list of price tiers for long calls
 * - `context-tiers`: an object with `tiers` lists by name
 */
export type RowShape =
  | 'numbers'
  | 'texts'
  | 'nested-numbers'
  | 'nested-lists'
  | 'names'
  | 'labelled-texts'
  | 'tiers'
  | 'context-tiers'

/** Describes a JSON setting as a table with one line per entry. */
export interface OptionRows {
  readonly shape: RowShape
  /** Column titles in order. */
  readonly columns: readonly Words[]
  /** If present, the first cell allows only these names; the values are their labels. */
  readonly names?: Readonly<Record<string, Words>>
}

/** Confirmation shown before a switch is turned off. */
export interface ConfirmOff {
  readonly title: Words
  readonly consequence: Words
  readonly confirmLabel: Words
}

/** Members common to all declarations of settings. */
export interface About {
  /** A short name for forms and lists. */
  readonly label: Words
  /** Explains what the setting does. */
  readonly help: Words
  /**
   * Changing the setting requires a recent sign-in. Secrets and settings of a guarded section require it
   * anyway.
   */
  readonly isGuarded?: boolean
  /** Stored for imports and for consoles written for new-api; nothing reads it. */
  readonly isWithoutEffect?: boolean
}

/** Of a setting that other gateways have and this one does not need. */
export const withoutEffect = {
  help: {
    en: 'Kept for imports and older consoles; has no effect.',
    zh: '仅为导入和旧版控制台保留，不起作用。',
  },
  isWithoutEffect: true,
} as const

/**
 * One site setting. In JSON and in the database its value is text; `schema` parses the text into the typed
 * value.
 */
export interface OptionDefinition<Value = unknown> {
  readonly kind: OptionKind
  readonly label: Words
  readonly help: Words
  /** The default as text. `undefined`: a built-in price table that the server provides. */
  readonly default: string | undefined
  /** Describes accepted values; completes "accepts …". */
  readonly allowed: Words
  readonly schema: z.ZodType<Value, string>
  /** Returns the normalised text of a value, which is stored. */
  print(value: Value): string
  /** Stored encrypted, never part of a response. */
  readonly isSecret: boolean
  readonly isGuarded: boolean
  readonly isWithoutEffect: boolean
  /** An amount of quota, which forms also show in currency. */
  readonly isQuota: boolean
  /** The address of a picture that our pages show. */
  readonly isPicture: boolean
  /** Keys that must not be empty before this switch can be turned on. */
  readonly needs: readonly string[]
  /** In addition, all keys of one of these sets must not be empty. An empty array adds no requirement. */
  readonly needsOneOf: readonly (readonly string[])[]
  readonly confirmOff?: ConfirmOff | undefined
  /** Allowed values of a choice with their labels. */
  readonly choices: Readonly<Record<string, Words>>
  /** Set for a JSON setting that can be edited line by line. */
  readonly rows?: OptionRows | undefined
  /** Height of the form field, for multi-line text. */
  readonly lines?: number | undefined
  /** The form can preview the value as visitors will see it. */
  readonly preview?: Preview | undefined
}

export type Preview = 'page' | 'line'

interface Draft<Value> extends Partial<Omit<OptionDefinition<Value>, keyof About | 'isSecret'>> {
  readonly kind: OptionKind
  readonly default: string | undefined
  readonly about: About
  readonly allowed: Words
  readonly schema: z.ZodType<Value, string>
  print(value: Value): string
}

/** Fills in the members that the kind of setting leaves undefined. */
export function define<Value>({ about, ...draft }: Draft<Value>): OptionDefinition<Value> {
  const isSecret = draft.kind === 'secret'
  return {
    needs: [],
    needsOneOf: [],
    choices: {},
    isQuota: false,
    isPicture: false,
    ...draft,
    lines: draft.lines ?? (isText(draft) ? LINES : undefined),
    label: about.label,
    help: about.help,
    isSecret,
    isGuarded: isSecret || about.isGuarded === true,
    isWithoutEffect: about.isWithoutEffect ?? false,
  }
}

const LINES = 8

/** Edited as multi-line text or as a table of free lines. */
function isText({ kind, rows }: Pick<OptionDefinition, 'kind' | 'rows'>): boolean {
  return kind === 'lines' || (kind === 'json' && rows?.names === undefined)
}
