import type { SettingTab } from '@tollgate/contract/options/section'
import { memo, useRef } from 'react'
import { SectionsIndex } from './places/sections-index.tsx'
import { useCurrentSection } from './places/use-current-section.ts'
import { useHashTarget, useScrollToPlace } from './places/use-hash-target.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'

interface TabPanelProps {
  readonly tab: SettingTab
  readonly onHistory: (key: string) => void
}

/**
 * The sections of a tab with their index, scrolled to the place that the address names. Its parts read the
 * drafts themselves, so that a key typed in one of them does not render all of them.
 */
export const TabPanel = memo(function TabPanel({ tab, onHistory }: TabPanelProps) {
  const place = useHashTarget()
  const area = useRef<HTMLDivElement>(null)
  const current = useCurrentSection(tab, place)
  useScrollToPlace(place, area)
  return (
    <div className={styles.panel}>
      <SectionsIndex tab={tab} current={current} />
      <div className="stack-24" ref={area}>
        {tab.sections.map((section) => (
          <Section key={section.key} tab={tab} section={section} onHistory={onHistory} />
        ))}
      </div>
    </div>
  )
})
