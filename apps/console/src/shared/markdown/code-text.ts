import { Children, isValidElement, type ReactNode } from 'react'

export interface CodeText {
  readonly text: string
  /** The language named after the fence; empty if there is none. */
  readonly language: string
}

/** The text of a code block, without the elements added by highlighting. */
export function codeTextOf(node: ReactNode): CodeText {
  return { text: textOf(node), language: languageOf(node) }
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return Children.toArray(node).map(textOf).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : ''
}

function languageOf(node: ReactNode): string {
  if (!isValidElement<{ className?: string }>(node)) return ''
  return /language-(\S+)/.exec(node.props.className ?? '')?.[1] ?? ''
}
