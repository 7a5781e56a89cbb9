import type { Share } from '../shares.ts'
import { shareText } from '../shares.ts'

/**
 * Tooltip content is built from DOM elements, because names are user input and must never be parsed as
 * markup.
 */

export interface TooltipPart {
  readonly name: string
  readonly colour: string
  readonly amount: number
}

interface BarTooltipInput {
  /** The start of the step. */
  readonly heading: string
  readonly total: { readonly name: string; readonly amount: number }
  readonly parts: readonly TooltipPart[]
  readonly value: (amount: number) => string
}

/** Lists the total of a bar first, then its parts, the largest first; parts of zero are left out. */
export function barTooltip({ heading, total, parts, value }: BarTooltipInput): HTMLElement {
  const sorted = parts
    .filter(({ amount }) => amount !== 0)
    .toSorted((left, right) => right.amount - left.amount)
  return linesTooltip(heading, [
    { name: total.name, text: value(total.amount), isStrong: true },
    ...sorted.map(({ name, colour, amount }) => ({ name, colour, text: value(amount) })),
  ])
}

interface TooltipLine {
  readonly name: string
  readonly text: string
  readonly colour?: string
  readonly isStrong?: boolean
}

export function linesTooltip(heading: string, lines: readonly TooltipLine[]): HTMLElement {
  return element('div', {}, [element('div', { text: heading, className: 'muted' }), ...lines.map(line)])
}

interface ShareTooltipInput {
  readonly name: string
  readonly share: Share
  readonly value: (amount: number) => string
}

export function shareTooltip({ name, share, value }: ShareTooltipInput): HTMLElement {
  return element('div', {}, [
    line({ name, text: value(share.amount), isStrong: true }),
    element('div', { text: shareText(share.part), className: 'muted number' }),
  ])
}

function line({ name, text, colour, isStrong = false }: TooltipLine): HTMLElement {
  const row = element('div', {}, [
    element('span', {}, [...(colour === undefined ? [] : [dot(colour)]), document.createTextNode(name)]),
    element('span', { text, className: 'number' }),
  ])
  row.style.cssText = `display: flex; justify-content: space-between; gap: 16px; font-weight: ${isStrong ? 600 : 400}`
  return row
}

function dot(colour: string): HTMLElement {
  const mark = element('span', {})
  mark.style.cssText = `display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%; background: ${colour}`
  return mark
}

function element(
  tag: string,
  { text, className }: { readonly text?: string; readonly className?: string },
  children: readonly Node[] = [],
): HTMLElement {
  const made = document.createElement(tag)
  if (text !== undefined) made.textContent = text
  if (className !== undefined) made.className = className
  made.append(...children)
  return made
}
