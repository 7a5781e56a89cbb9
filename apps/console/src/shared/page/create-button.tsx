import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import { PlainButton } from './plain-button.tsx'

interface CreateButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

/** The main action of a list, used in the page header and in the empty state. */
export function CreateButton({ onClick, children }: CreateButtonProps) {
  return (
    <PlainButton isPrimary onClick={onClick}>
      <Icon name="plus" />
      {children}
    </PlainButton>
  )
}
