import { Children, isValidElement, type ReactNode } from 'react'

export interface CodeText {
  readonly text: string
  /** As written after the fence; empty when nothing was. */
  readonly language: string
}

/** What a code block says, without the colours that highlighting has put around its words. */
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
