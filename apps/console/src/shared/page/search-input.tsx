import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { TextInput } from './text-input.tsx'
import { useTypedSearch } from './use-typed-search.ts'

interface SearchInputProps {
  /** The current search text. */
  readonly value: string
  readonly placeholder: string
  /** Called shortly after typing stops, and at once on Enter or when cleared. */
  readonly onSearch: (text: string) => void
}

/** The search field of a page; `/` focuses it. */
export function SearchInput({ value, placeholder, onSearch }: SearchInputProps) {
  const t = sharedMessages.use()
  const { draft, onType, searchNow } = useTypedSearch(value, onSearch)
  return (
    <TextInput
      isSearch
      widthPx={240}
      sign={
        <span className="muted">
          <Icon name="search" />
        </span>
      }
      placeholder={placeholder}
      label={t('search')}
      value={draft}
      onChange={onType}
      onEnter={searchNow}
    />
  )
}
