/** The emphasis of a label; the label's text carries the same meaning. */
export type LabelTone = 'plain' | 'accent' | 'look' | 'act'

const groupTones: Readonly<Partial<Record<string, LabelTone>>> = {
  vip: 'look',
  pro: 'look',
  svip: 'act',
  premium: 'act',
}

export function groupTone(name: string): LabelTone {
  return Object.hasOwn(groupTones, name) ? (groupTones[name] ?? 'plain') : 'plain'
}

/** Higher ratios get more emphasis: above 1, above 3, above 5. */
export function ratioTone(ratio: number): LabelTone {
  if (ratio > 5) return 'act'
  if (ratio > 3) return 'look'
  return ratio > 1 ? 'accent' : 'plain'
}
