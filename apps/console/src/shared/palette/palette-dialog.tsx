import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '../icon/icon.tsx'
import { paletteMessages } from './i18n.ts'
import styles from './palette-dialog.module.css'
import { closePalette, matching, type PaletteEntry } from './palette-store.ts'
import { type Finder, useFound } from './use-found.ts'

interface PaletteDialogProps {
  readonly entries: readonly PaletteEntry[]
  readonly finders: readonly Finder[]
}

const LIST_ID = 'palette-list'

/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- a combobox over a listbox has no
   tags of its own, and its keys are handled by the field, as the pattern asks */

/** The command palette: finds a page or an object by a few typed letters, and opens it on Enter. */
export function PaletteDialog({ entries, finders }: PaletteDialogProps) {
  const t = paletteMessages.use()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = useFound(finders, typed)
  const shown = [...matching(entries, typed), ...found]
  const current = Math.min(chosen, shown.length - 1)

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  function open(entry: PaletteEntry | undefined) {
    if (entry === undefined) return
    closePalette()
    if (entry.to !== undefined) void navigate({ href: entry.to })
    entry.run?.()
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + shown.length) % Math.max(shown.length, 1))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(shown[current])
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a click beside it closes; so does Escape
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t('title')}
      onClose={closePalette}
      onClick={(event) => {
        if (event.target === event.currentTarget) closePalette()
      }}
    >
      <label className={styles.field}>
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={LIST_ID}
          aria-activedescendant={shown[current] && `${LIST_ID}-${shown[current].key}`}
          placeholder={t('placeholder')}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
        />
      </label>
      <div id={LIST_ID} className={styles.list} role="listbox" aria-label={t('title')}>
        {shown.map((entry, index) => (
          <PaletteLine
            key={entry.key}
            entry={entry}
            isChosen={index === current}
            onOpen={() => open(entry)}
          />
        ))}
      </div>
      {shown.length === 0 && <p className={styles.nothing}>{t('nothing')}</p>}
    </dialog>
  )
}

interface PaletteLineProps {
  readonly entry: PaletteEntry
  readonly isChosen: boolean
  readonly onOpen: () => void
}

function PaletteLine({ entry, isChosen, onOpen }: PaletteLineProps) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <div
      ref={line}
      id={`${LIST_ID}-${entry.key}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={isChosen ? `${styles.line} ${styles.chosen}` : styles.line}
      onClick={onOpen}
    >
      <Icon name={entry.icon ?? 'arrowRight'} />
      <span>{entry.title}</span>
      {entry.detail !== undefined && <span className="muted">{entry.detail}</span>}
    </div>
  )
}
