import type { LossWeight } from './column.ts'

/** Words in names that nobody has listed yet, and what such a column usually decides. */
const WORDS: readonly (readonly [RegExp, LossWeight])[] = [
  [
    /expir|until|deadline|\bends?\b|end_?(time|at|date)|valid|revoked|disabled|blocked|banned|frozen|suspend|lock(ed)?_?(until|at)?|retire|delet/,
    'ends',
  ],
  [
    /limit|max_|_max|\bmax\b|min_|budget|cap(acity)?\b|rpm|tpm|parallel|concurren|allow|deny|forbid|restrict|quota_?per|only/,
    'limits',
  ],
  [/price|ratio|rate\b|discount|multipl|cost|fee|charge|billing|tier/, 'prices'],
  [
    /secret|password|2fa|mfa|otp|passkey|permission|role|scope|\bips?\b|_ips?\b|subnet|address|auth|verif|security|status|state|enabled|active/,
    'protects',
  ],
  [
    /quota|amount|money|balance|credit|debt|paid|payment|pay_|refund|rebate|reward|commission|currency|subscription|plan|gift|bonus|wallet/,
    'pays',
  ],
]

/** A date in Unix seconds or milliseconds, or written out. */
const DATE = /^(1[4-9]\d{8}|[2-4]\d{9}|1[4-9]\d{11}|[2-4]\d{12}|\d{4}-\d\d-\d\d([ T].*)?)$/

/** What an unknown column, member or setting may decide, by its name and by one of its values. */
export function estimateWeight(name: string, sample: string | undefined): LossWeight | undefined {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  const weight = WORDS.find(([pattern]) => pattern.test(words))?.[1]
  if (weight !== undefined) return weight
  return sample !== undefined && DATE.test(sample) && !/creat|updat|seen|last|used|since|start/.test(words)
    ? 'ends'
    : undefined
}

const MEANINGS: Readonly<Record<LossWeight, string>> = {
  ends: 'it may end or switch something off',
  limits: 'it may limit something',
  prices: 'it may change a price',
  protects: 'it may protect an account or decide who may do something',
  pays: 'it may be money',
}

export function describeGuess(weight: LossWeight): string {
  return `this version does not know it and has not kept it; by its name or values ${MEANINGS[weight]}: look at it before people come`
}
