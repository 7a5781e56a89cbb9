import { Link, useMatchRoute } from '@tanstack/react-router'
import { type ToggleEvent, useId, useRef, useState } from 'react'
import { type ChatLink, chatLinks } from '../../shared/chat-links/chat-link.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { readText, storageKeys, writeText } from '../../shared/session/storage.ts'
import { shellMessages } from './i18n.ts'
import { isInLink } from './in-link.ts'
import styles from './menu-groups.module.css'

interface PlacedLink extends ChatLink {
  /** Its position in the operator's list, which the address contains. */
  readonly place: number
}

interface MenuProps {
  readonly links: readonly PlacedLink[]
  /** Whether the current page is one of these links. */
  readonly isHere: boolean
}

/** The operator's chat front-ends, one below the other. A link with a broken address is left out. */
export function ChatMenu({ isFolded }: { readonly isFolded: boolean }) {
  const user = useSessionUser()
  const { chats } = useStatus()
  const isHere = useMatchRoute()({ to: paths.chat }) !== false
  const links = chatLinks(chats).flatMap((link, place) => (link === undefined ? [] : [{ ...link, place }]))
  if (user === undefined || links.length === 0) return null
  const Menu = isFolded ? FlyoutMenu : FoldingMenu
  return (
    <li>
      <Menu links={links} isHere={isHere} />
    </li>
  )
}

/**
 * The links are folded until the reader opens them, so that they do not push the pages down. The state is
 * remembered.
 */
function FoldingMenu({ links, isHere }: MenuProps) {
  const t = shellMessages.use()
  const id = useId()
  const [isOpen, setIsOpen] = useState(() => readText(storageKeys.chatMenuOpen) === 'true')
  const toggle = () => {
    writeText(storageKeys.chatMenuOpen, String(!isOpen))
    setIsOpen(!isOpen)
  }
  const isHidingHere = isHere && !isOpen
  return (
    <>
      <button
        type="button"
        className={isHidingHere ? `${styles.link} ${styles.current}` : styles.link}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-current={isHidingHere || undefined}
        onClick={toggle}
      >
        <Icon name="chats" />
        <span className={styles.name}>{t('menu.chat')}</span>
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} sizePx={14} />
      </button>
      <ul id={id} className={styles.below} hidden={!isOpen}>
        <Links links={links} />
      </ul>
    </>
  )
}

/**
 * Used beside a menu of icons only. It is a native popover, so the browser closes it on Escape or a press
 * elsewhere.
 */
function FlyoutMenu({ links, isHere }: MenuProps) {
  const t = shellMessages.use()
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const place = ({ currentTarget }: ToggleEvent<HTMLElement>) => {
    currentTarget.style.top = `${opener.current?.getBoundingClientRect().top ?? 0}px`
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={isHere ? `${styles.link} ${styles.current}` : styles.link}
        title={t('menu.chat')}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-current={isHere || undefined}
        popoverTarget={id}
      >
        <Icon name="chats" />
        <span className="visually-hidden">{t('menu.chat')}</span>
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- hears the clicks of the links inside, and keys click those */}
      <ul
        id={id}
        className={styles.flyout}
        popover="auto"
        aria-label={t('menu.chat')}
        onBeforeToggle={place}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        onClick={({ target, currentTarget }) => isInLink(target) && currentTarget.hidePopover()}
      >
        <Links links={links} />
      </ul>
    </>
  )
}

function Links({ links }: { readonly links: readonly PlacedLink[] }) {
  return links.map(({ place, name }) => (
    <li key={place}>
      <Link
        to={paths.chat}
        params={{ index: String(place) }}
        className={styles.link}
        activeProps={{ className: styles.current, 'aria-current': 'page' }}
        title={name}
      >
        <span className={styles.name}>{name}</span>
      </Link>
    </li>
  ))
}
