import { Select, type SelectProps } from 'antd'
import type { KeyboardEvent } from 'react'

interface ChoicesProps extends SelectProps {
  /** `tags` also accepts values that are not among the options. */
  readonly mode: 'multiple' | 'tags'
}

/**
 * A multiple select. Tab keeps the chosen values; the library's own select would deselect the highlighted
 * one.
 */
export function Choices(props: ChoicesProps) {
  return <Select {...props} onInputKeyDown={leaveOnTab} />
}

function leaveOnTab(event: KeyboardEvent): void {
  if (event.key === 'Tab') event.stopPropagation()
}
