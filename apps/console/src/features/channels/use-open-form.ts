import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../shared/routing/paths.ts'

/** A channel's id, `'new'` for one being created, or `undefined` when no form is open. */
export type OpenForm = number | 'new' | undefined

/**
 * The channel whose form is open: at first the one in the address, `/channel/add` or `/channel/edit/3`. When
 * the form is opened or closed from the list, the address is that of the list.
 */
export function useOpenForm(): readonly [OpenForm, (edited: OpenForm) => void] {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [edited, setEdited] = useState(() => editedIn(pathname))
  const change = (next: OpenForm) => {
    setEdited(next)
    if (pathname !== paths.channels) void navigate({ to: paths.channels, search, replace: true })
  }
  return [edited, change]
}

export function editedIn(pathname: string): OpenForm {
  if (pathname === `${paths.channels}/add`) return 'new'
  const [, id] = /^\/channel\/edit\/([1-9]\d{0,9})$/.exec(pathname) ?? []
  return id === undefined ? undefined : Number(id)
}
