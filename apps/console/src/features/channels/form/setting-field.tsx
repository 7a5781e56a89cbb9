import type { ReactNode } from 'react'
import styles from './form.module.css'

interface SettingFieldProps {
  readonly id: string
  readonly label: string
  /** Has the id `…-help`, for `aria-describedby` of the control. */
  readonly help?: string
  /** The control with the id. */
  readonly children: ReactNode
}

/** One control of the settings, with its label. */
export function SettingField({ id, label, help, children }: SettingFieldProps) {
  return (
    <div className={styles.setting}>
      <label htmlFor={id}>{label}</label>
      {children}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}
