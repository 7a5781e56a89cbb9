import { sentenceMessages } from './i18n.ts'

type SentenceKey = Parameters<typeof sentenceMessages.t>[0]

const sentences = [
  'checkIn',
  'quotaSet',
  'redeemed',
  'gift',
  'bought',
  'topUpShare',
  'inviterShare',
  'welcome',
  'invited',
  'inviting',
  'drawingFailed',
  'taskFailed',
  'settledForLess',
] as const satisfies readonly SentenceKey[]
const amounts = ['currency', 'units'] as const satisfies readonly SentenceKey[]

const sentenceForms = sentences.map(formOf)
const amountForms = amounts.map(formOf)

/** What the server wrote into a row in the family's own words, in the language on screen; any other text as it is. */
export function inReadersWords(content: string): string {
  const said = readBy(sentenceForms, content)
  if (said === undefined) return content
  const values = Object.entries(said.places).map(([name, text]) => [name, amountInReadersWords(text)])
  return sentenceMessages.t(said.key, Object.fromEntries(values))
}

function amountInReadersWords(text: string): string {
  const said = readBy(amountForms, text)
  return said === undefined ? text : sentenceMessages.t(said.key, said.places)
}

interface Form {
  readonly key: SentenceKey
  readonly pattern: RegExp
}

function formOf(key: SentenceKey): Form {
  const literal = sentenceMessages.texts.zh[key]?.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`) ?? ''
  return { key, pattern: new RegExp(`^${literal.replaceAll(/\{\{(\w+)\}\}/g, '(?<$1>.*?)')}$`, 'u') }
}

function readBy(forms: readonly Form[], text: string) {
  for (const { key, pattern } of forms) {
    const places = pattern.exec(text)?.groups
    if (places !== undefined) return { key, places }
  }
  return undefined
}
