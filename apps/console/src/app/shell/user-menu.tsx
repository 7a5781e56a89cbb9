import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../../shared/icon/icon.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { role, type SessionUser } from '../../shared/session/session.ts'
import { shellMessages } from './i18n.ts'
import { logOut } from './log-out.ts'
import styles from './user-menu.module.css'

/** The name of the signed-in user, with a menu that contains the sign-out button. */
export function UserMenu({ user }: { readonly user: SessionUser }) {
  const t = shellMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useClosingFromOutside(frame, isOpen, () => setIsOpen(false))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return setIsOpen(false)
    if (event.key !== 'Escape') return moveFocus(event)
    setIsOpen(false)
    opener.current?.focus()
  }
  return (
    <div ref={frame} className={styles.frame}>
      <button
        ref={opener}
        type="button"
        className={styles.name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="user" />
        <span className={styles.word}>{user.username}</span>
      </button>
      {isOpen && (
        <div ref={focusFirst} className={styles.menu} role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
          <div className={styles.who}>
            <strong>{user.display_name || user.username}</strong>
            <span className="muted">
              {t(roleKey(user.role))} · {t('group', { group: user.group })}
            </span>
          </div>
          <Link to={paths.personal} role="menuitem" className={styles.item} onClick={() => setIsOpen(false)}>
            <Icon name="user" /> {t('account')}
          </Link>
          <button type="button" role="menuitem" className={styles.item} onClick={() => void logOut()}>
            <Icon name="logout" /> {t('logout')}
          </button>
        </div>
      )}
    </div>
  )
}

function itemsOf(menu: Element): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
}

function focusFirst(menu: HTMLElement | null): void {
  if (menu) itemsOf(menu)[0]?.focus()
}

/**
 * Keyboard control as in any menu: the up and down arrows move in a ring, Home and End jump to either end.
 */
function moveFocus(event: KeyboardEvent): void {
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}

function roleKey(value: number) {
  if (value >= role.root) return 'role.root'
  return value >= role.admin ? 'role.admin' : 'role.user'
}

function useClosingFromOutside(
  frame: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const stop = new AbortController()
    document.addEventListener('pointerdown', (event) => isOutside(frame.current, event.target) && close(), {
      signal: stop.signal,
    })
    return () => stop.abort()
  }, [frame, isOpen, close])
}

function isOutside(frame: HTMLElement | null, target: EventTarget | null): boolean {
  return !(target instanceof Node && frame?.contains(target) === true)
}
