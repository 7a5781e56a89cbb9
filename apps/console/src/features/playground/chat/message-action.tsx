import styles from './message.module.css'

interface MessageActionProps {
  readonly label: string
  readonly onSelect: () => void
}

export function MessageAction({ label, onSelect }: MessageActionProps) {
  return (
    <button type="button" className={styles.action} onClick={onSelect}>
      {label}
    </button>
  )
}
