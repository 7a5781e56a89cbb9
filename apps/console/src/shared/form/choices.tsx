import { Select, type SelectProps } from 'antd'
import type { KeyboardEvent } from 'react'

interface ChoicesProps extends SelectProps {
  /** `tags`: also what no option offers. */
  readonly mode: 'multiple' | 'tags'
}

/** Several choices. Tab leaves them as they are; the library's own select takes back the one it stands on. */
export function Choices(props: ChoicesProps) {
  return <Select {...props} onInputKeyDown={leaveOnTab} />
}

function leaveOnTab(event: KeyboardEvent): void {
  if (event.key === 'Tab') event.stopPropagation()
}
