import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './plain-button.module.css'

interface PlainButtonProps {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly isPrimary?: boolean
}

/** A button for the pages and states that must work without the component library. */
export function PlainButton({ children, onClick, isPrimary = false }: PlainButtonProps) {
  return (
    <button type="button" className={classOf(isPrimary)} onClick={onClick}>
      {children}
    </button>
  )
}

interface ButtonLinkProps {
  readonly children: ReactNode
  readonly to: string
  readonly isPrimary?: boolean
}

/** A link that looks like a button, to a page of the console. */
export function ButtonLink({ children, to, isPrimary = false }: ButtonLinkProps) {
  return (
    <Link to={to} className={classOf(isPrimary)}>
      {children}
    </Link>
  )
}

function classOf(isPrimary: boolean): string {
  return isPrimary ? `${styles.button} ${styles.primary}` : `${styles.button}`
}
