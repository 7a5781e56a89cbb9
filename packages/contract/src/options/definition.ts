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
 * What the lines of a JSON setting are made of. `numbers`, `texts`: an object of names to these; `nested-numbers`: of names to
 * such objects; `nested-lists`: of names to names to lists of texts; `names`: a list of texts; `labelled-texts`: a list of
 * objects with one text each; `tiers`: a list of what long calls cost; `context-tiers`: of names to such lists.
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

/** How a JSON setting is a table: one line for each thing it names. */
export interface OptionRows {
  readonly shape: RowShape
  /** What the cells of a line are called, in their order. */
  readonly columns: readonly Words[]
  /** Where no other names can stand in the first cell: these, and what each is called. */
  readonly names?: Readonly<Record<string, Words>>
}

/** Asked before a switch is turned off. */
export interface ConfirmOff {
  readonly title: Words
  readonly consequence: Words
  readonly confirmLabel: Words
}

/** What every declaration of a setting says. */
export interface About {
  /** What it is called in a form or a list, in a few words. */
  readonly label: Words
  /** What it does. */
  readonly help: Words
  /** Changing it needs a recent sign-in. Secrets, and settings of a guarded section, are guarded without it. */
  readonly isGuarded?: boolean
  /** Stored for imports and older consoles; nothing reads it. */
  readonly isWithoutEffect?: boolean
}

/** One site setting. On the wire and in the table its value is text; `schema` turns the text into the typed value. */
export interface OptionDefinition<Value = unknown> {
  readonly kind: OptionKind
  readonly label: Words
  readonly help: Words
  /** Text form of the default. `undefined`: a built-in price table, which the server brings. */
  readonly default: string | undefined
  /** What is accepted, to complete "accepts …". */
  readonly allowed: Words
  readonly schema: z.ZodType<Value, string>
  /** The normal text form of a value: what is stored. */
  print(value: Value): string
  /** Encrypted at rest, never part of an answer. */
  readonly isSecret: boolean
  readonly isGuarded: boolean
  readonly isWithoutEffect: boolean
  /** An amount of quota, which forms show in money too. */
  readonly isQuota: boolean
  /** The address of a picture that our pages show. */
  readonly isPicture: boolean
  /** Keys that must not be empty before this switch can be turned on. */
  readonly needs: readonly string[]
  /** Beside those, all keys of one of these sets; empty: nothing more. */
  readonly needsOneOf: readonly (readonly string[])[]
  readonly confirmOff?: ConfirmOff | undefined
  /** The values of a choice, and what each is called. */
  readonly choices: Readonly<Record<string, Words>>
  /** Of a JSON setting that can be edited line by line. */
  readonly rows?: OptionRows | undefined
  /** Height of its field in a form, when it is a text of several lines. */
  readonly lines?: number | undefined
  /** It can be looked at as visitors will see it. */
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

/** Completes a definition with what its kind leaves open. */
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

/** Edited as a text of several lines, or as a table of them. */
function isText({ kind, rows }: Pick<OptionDefinition, 'kind' | 'rows'>): boolean {
  return kind === 'lines' || (kind === 'json' && rows?.names === undefined)
}
