import type { MenuProps } from 'antd'
import { lazy, type ReactElement, Suspense } from 'react'
import styles from './box.module.css'
import { useInteractionStage } from './use-interaction-stage.ts'

export interface MenuOnDemandProps {
  readonly items: NonNullable<MenuProps['items']>
  readonly placement?: 'bottomLeft' | 'bottomRight'
  readonly isDisabled?: boolean
  /** The button that opens the menu. */
  readonly children: ReactElement<{ autoFocus?: boolean }>
}

const load = async () => ({ default: (await import('./library-menu.tsx')).LibraryMenu })
const LibraryMenu = lazy(load)

/** A button with a menu whose code is loaded when the reader points at, focuses or presses the button. */
export function MenuOnDemand(props: MenuOnDemandProps) {
  const { reach, handlers } = useInteractionStage(load)
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the button inside is the control
  const atRest = (
    <span className={styles.part} {...handlers}>
      {props.children}
    </span>
  )
  if (reach === 'away' || props.isDisabled === true) return atRest
  return (
    <Suspense fallback={atRest}>
      <LibraryMenu {...props} reach={reach} />
    </Suspense>
  )
}
