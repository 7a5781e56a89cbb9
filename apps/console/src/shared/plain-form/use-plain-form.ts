import { type SubmitEvent, useState } from 'react'
import { focusOn } from '../form/focus-on.ts'

export type PlainValues<Name extends string> = Readonly<Record<Name, string>>

/** Returns the error of a field's text in the reader's language; `undefined` if the text is valid. */
export type Check<Name extends string> = (text: string, values: PlainValues<Name>) => string | undefined

interface PlainFormInput<Name extends string> {
  /** Id of the form, and prefix of the ids of its fields. Without it, a field's id is its name. */
  readonly id?: string
  /** The checks of all fields, in their order on the page from top to bottom. */
  readonly checks: Readonly<Record<Name, Check<Name>>>
  /** Initial texts of the fields; the others are empty. */
  readonly initial?: Readonly<Partial<Record<Name, string>>>
  /** Called only if all checks pass. */
  readonly onSubmit: (values: PlainValues<Name>) => void
}

export interface PlainFormState<Name extends string> {
  readonly id: string | undefined
  readonly values: PlainValues<Name>
  readonly idOf: (name: Name) => string
  readonly errorOf: (name: Name) => string | undefined
  readonly change: (name: Name, text: string) => void
  /** Checks one field as submitting would, and focuses it if it is invalid. */
  readonly check: (name: Name) => boolean
  /** Shows an error from outside, such as one from the server, until the field is changed. */
  readonly tell: (name: Name, message: string) => void
  readonly submit: (event: SubmitEvent) => void
}

/**
 * Texts, checks and messages of a form of native fields. A field is checked from its first change on, and all
 * fields when the form is submitted.
 */
export function usePlainForm<Name extends string>(input: PlainFormInput<Name>): PlainFormState<Name> {
  const names = namesOf(input.checks)
  const [entered, setEntered] = useState<Partial<Record<Name, string>>>(() => ({ ...input.initial }))
  const [judged, setJudged] = useState<ReadonlySet<Name>>(new Set())
  const [reported, setTold] = useState<ReadonlyMap<Name, string>>(new Map())

  const values = recordOf(names, (name) => entered[name] ?? '')
  const wrongOf = (name: Name) => input.checks[name](values[name], values)
  const idOf = (name: Name) => (input.id === undefined ? name : `${input.id}_${name}`)

  function judge(group: readonly Name[]): boolean {
    setJudged((before) => new Set([...before, ...group]))
    const firstWrong = group.find((name) => wrongOf(name) !== undefined)
    if (firstWrong !== undefined) focusOn(idOf(firstWrong))
    return firstWrong === undefined
  }

  return {
    id: input.id,
    values,
    idOf,
    errorOf: (name) => reported.get(name) ?? (judged.has(name) ? wrongOf(name) : undefined),
    change: (name, text) => {
      setEntered((before) => ({ ...before, [name]: text }))
      setJudged((before) => new Set([...before, name]))
      setTold((before) => new Map([...before].filter(([other]) => other !== name)))
    },
    check: (name) => judge([name]),
    tell: (name, message) => {
      setTold((before) => new Map([...before, [name, message]]))
      focusOn(idOf(name))
    },
    submit: (event) => {
      event.preventDefault()
      setTold(new Map())
      if (judge(names)) input.onSubmit(values)
    },
  }
}

function namesOf<Name extends string>(checks: Readonly<Record<Name, unknown>>): readonly Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record are its names
  return Object.keys(checks) as Name[]
}

function recordOf<Name extends string>(names: readonly Name[], valueOf: (name: Name) => string) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one value for each of the names
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>
}
