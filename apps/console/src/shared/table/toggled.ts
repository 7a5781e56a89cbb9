/** Returns a new set with the member removed if it was present, and added if it was not. */
export function toggled<Member>(members: ReadonlySet<Member>, member: Member): ReadonlySet<Member> {
  return members.has(member) ? members.difference(new Set([member])) : members.union(new Set([member]))
}
