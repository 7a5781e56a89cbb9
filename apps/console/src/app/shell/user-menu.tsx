import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../../shared/icon/icon.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { role, type SessionUser } from '../../shared/session/session.ts'
import { shellMessages } from './i18n.ts'
import { logOut } from './log-out.ts'
import styles from './user-menu.module.css'

/** Who is signed in, and the way out. */
export function UserMenu({ user }: { readonly user: SessionUser }) {
  const t = shellMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  useClosingFromOutside(frame, isOpen, () => setIsOpen(false))
  return (
    <div ref={frame} className={styles.frame}>
      <button
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
        <div className={styles.menu} role="menu">
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
    const options = { signal: stop.signal }
    document.addEventListener(
      'pointerdown',
      (event) => isOutside(frame.current, event.target) && close(),
      options,
    )
    document.addEventListener('keydown', (event) => event.key === 'Escape' && close(), options)
    return () => stop.abort()
  }, [frame, isOpen, close])
}

function isOutside(frame: HTMLElement | null, target: EventTarget | null): boolean {
  return !(target instanceof Node && frame?.contains(target) === true)
}
