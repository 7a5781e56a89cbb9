import { confirm } from '../confirm/confirm.ts'
import { notifyingFailure } from '../notify/notifying-failure.ts'
import type { RowAction } from './column.ts'

interface StatusActionsInput {
  readonly enable: string
  readonly disable: string
  /** The question before the selected rows are disabled, and its consequence. */
  readonly question: string
  readonly consequence: string
  readonly setEnabled: (isEnabled: boolean) => Promise<unknown>
}

/** Enables or disables all selected rows; disabling asks first. */
export function statusActions(input: StatusActionsInput): readonly RowAction[] {
  const { enable, disable, question, consequence, setEnabled } = input
  const ask = () =>
    confirm({
      title: question,
      consequence,
      confirmLabel: disable,
      isDestructive: true,
      action: () => setEnabled(false),
    })
  return [
    { key: 'enable', label: enable, isInline: true, onSelect: notifyingFailure(() => setEnabled(true)) },
    { key: 'disable', label: disable, isInline: true, onSelect: () => void ask() },
  ]
}
