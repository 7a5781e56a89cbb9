import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import styles from './plain-button.module.css'

interface PlainButtonProps {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly isPrimary?: boolean
  /** Sends the form around it. */
  readonly isSubmit?: boolean
  /** As wide as what it stands in, and higher: the one thing to do on a page. */
  readonly isLarge?: boolean
  readonly isDisabled?: boolean
  /** What it began is under way: it shows so, and cannot begin it again. */
  readonly isBusy?: boolean
}

/** A button for the pages and states that must work without the component library. */
export function PlainButton(props: PlainButtonProps) {
  const { isSubmit = false, isDisabled = false, isBusy = false } = props
  const press = (event: MouseEvent) => {
    if (isBusy) event.preventDefault()
    else props.onClick?.()
  }
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      className={classOf(props)}
      disabled={isDisabled}
      aria-busy={isBusy}
      onClick={press}
    >
      {isBusy && <span className={styles.spinner} />}
      {props.children}
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
    <Link to={to} className={classOf({ isPrimary })}>
      {children}
    </Link>
  )
}

function classOf({
  isPrimary,
  isLarge,
}: {
  readonly isPrimary?: boolean
  readonly isLarge?: boolean
}): string {
  return `${styles.button} ${isPrimary ? styles.primary : ''} ${isLarge ? styles.large : ''}`.trim()
}
