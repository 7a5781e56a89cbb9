import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import styles from './plain-button.module.css'

interface PlainButtonProps {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly isPrimary?: boolean
  /** Submits the surrounding form. */
  readonly isSubmit?: boolean
  readonly isSmall?: boolean
  /** As wide as its container, and higher; for the main action of a page. */
  readonly isLarge?: boolean
  readonly isDisabled?: boolean
  /** For a button that folds something: whether it is unfolded. */
  readonly isExpanded?: boolean
  /** The action is running: the button shows this and cannot start it again. */
  readonly isBusy?: boolean
}

/** A button for pages and states that must work without the component library. */
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
      aria-expanded={props.isExpanded}
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

/** A link to a page of the console that looks like a button. */
export function ButtonLink({ children, to, isPrimary = false }: ButtonLinkProps) {
  return (
    <Link to={to} className={classOf({ isPrimary })}>
      {children}
    </Link>
  )
}

function classOf({
  isPrimary = false,
  isSmall = false,
  isLarge = false,
}: Pick<PlainButtonProps, 'isPrimary' | 'isSmall' | 'isLarge'>): string {
  const looks = [isPrimary && styles.primary, isSmall && styles.small, isLarge && styles.large]
  return [styles.button, ...looks.filter(Boolean)].join(' ')
}
