import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import { PlainButton } from './plain-button.tsx'

interface CreateButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

/** What a list is there for: the first action of its page, and of its empty state. */
export function CreateButton({ onClick, children }: CreateButtonProps) {
  return (
    <PlainButton isPrimary onClick={onClick}>
      <Icon name="plus" />
      {children}
    </PlainButton>
  )
}
