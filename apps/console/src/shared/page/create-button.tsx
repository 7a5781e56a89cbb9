import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'

interface CreateButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

/** What a list is there for: the first action of its page, and of its empty state. */
export function CreateButton({ onClick, children }: CreateButtonProps) {
  return (
    <Button type="primary" icon={<Icon name="plus" />} onClick={onClick}>
      {children}
    </Button>
  )
}
