/** A fragment pasted from a spreadsheet. */
const TABLE = 'Name\tKey\nA\t1\nB\t2'
export const EMOJI = '🦊👩‍👩‍👧‍👦'.repeat(12)
/** Contains a right-to-left override, which reverses the text after it. */
export const TURNED = 'abc\u202Edef'
export const LONG = 'x'.repeat(10_000)

export interface BadForm {
  readonly path: string
  /** Button that opens the form; absent when the page is the form. */
  readonly open?: string
  readonly scope: string
  readonly submit: string
  /** Label, entered text, and the error that the form shows. */
  readonly fields: readonly (readonly [label: string, text: string, said: string])[]
}

const dialog = '[role=dialog]'
const WRONG_DATE = 'Enter a date and time such as'
const WRONG_LIMIT = 'Enter a whole number from 1 to 1,000,000.'
export const WRONG_AMOUNT = 'Enter a number such as 1.50, not below zero.'
const WRONG_NAME = 'At most 12 characters of one script, without spaces or @.'

/** What is entered into each form, and which errors its fields must show. */
export const forms: Readonly<Record<string, BadForm>> = {
  token: {
    path: '/token',
    open: 'New token',
    scope: dialog,
    submit: 'Create',
    fields: [
      ['Name', LONG, 'At most 50 characters.'],
      ['Quota', 'ten', WRONG_AMOUNT],
      ['Expires', EMOJI, WRONG_DATE],
      ['Calls a minute', 'many', WRONG_LIMIT],
      ['How many', '1.5', 'Enter a whole number from 1 to 100.'],
    ],
  },
  code: {
    path: '/redemption',
    open: 'New codes',
    scope: dialog,
    submit: 'Create',
    fields: [
      ['Name', LONG, 'At most 20 characters.'],
      ['Quota', '-5', WRONG_AMOUNT],
      ['Code of your own', EMOJI, 'At most 32 characters.'],
      ['Valid until', TABLE, WRONG_DATE],
    ],
  },
  channel: {
    path: '/channel',
    open: 'New channel',
    scope: dialog,
    submit: 'Create',
    fields: [
      ['Name', LONG, 'At most 100 characters.'],
      ['Priority', 'first', 'Enter a whole number from -999 to'],
      ['Weight', '-5', 'Enter a whole number from 0 to'],
    ],
  },
  user: {
    path: '/user',
    open: 'New user',
    scope: dialog,
    submit: 'Create',
    fields: [
      ['Username', 'аda', WRONG_NAME],
      ['Display name', TURNED, 'At most 20 characters.'],
      ['Password', 'short', 'A password has 8 to 20 characters.'],
    ],
  },
  password: {
    path: '/personal',
    open: 'Change password',
    scope: dialog,
    submit: 'Save',
    fields: [
      ['Current password', ' ', ''],
      ['New password', EMOJI, 'The password must be at most 20 characters long.'],
      ['New password again', LONG, 'do not match'],
    ],
  },
  notification: {
    path: '/personal',
    scope: 'section:has(form[id=notify])',
    submit: 'Save',
    fields: [
      ['E-mail address', TABLE, 'This is not an e-mail address.'],
      ['When the balance falls below', '0', 'Enter an amount above zero.'],
    ],
  },
  settings: {
    path: '/setting?tab=ratelimit',
    scope: '#model-requests',
    submit: 'Save',
    fields: [
      ['Calls in the window', EMOJI, 'from 0 to 100000000'],
      ['Window (minutes)', '-1', 'from 0 to 43200'],
    ],
  },
}
