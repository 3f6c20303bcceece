"""Drops files on a window as a file manager does (the XDND protocol): drop_file.py TITLE FILE..."""
import pathlib
import sys
import time

from Xlib import X, display
from Xlib.protocol import event


def find(window, title, aware):
    """The window that takes drops and whose title ends with `title`, in the tree below `window`."""
    name = window.get_full_text_property(window.display.get_atom("_NET_WM_NAME")) or ""
    if name.endswith(title) and window.get_full_property(aware, X.AnyPropertyType):
        return window
    for child in window.query_tree().children:
        found = find(child, title, aware)
        if found:
            return found
    return None


def main():
    title, files = sys.argv[1], sys.argv[2:]
    d = display.Display()
    atom = d.intern_atom
    target = find(d.screen().root, title, atom("XdndAware"))
    if target is None:
        sys.exit(f"no window is called '{title}'")
    source = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    uri_list, action = atom("text/uri-list"), atom("XdndActionCopy")
    data = "".join(pathlib.Path(f).resolve().as_uri() + "\r\n" for f in files).encode()
    source.set_selection_owner(atom("XdndSelection"), X.CurrentTime)

    def send(kind, *values):
        values = list(values) + [0] * (4 - len(values))
        message = event.ClientMessage(window=target, client_type=atom(kind), data=(32, [source.id] + values))
        target.send_event(message, event_mask=0)
        d.flush()

    geometry = target.get_geometry()
    place = target.translate_coords(d.screen().root, geometry.width // 2, geometry.height // 2)
    send("XdndEnter", 5 << 24, uri_list)
    send("XdndPosition", 0, (abs(place.x) << 16) | abs(place.y), X.CurrentTime, action)
    dropped, end = False, time.time() + 60
    while time.time() < end:
        if not d.pending_events():
            time.sleep(0.01)
            continue
        e = d.next_event()
        if e.type == X.ClientMessage and e.client_type == atom("XdndStatus") and not dropped:
            if not e.data[1][1] & 1:
                sys.exit("the window refuses the drop")
            send("XdndDrop", 0, X.CurrentTime)
            dropped = True
        elif e.type == X.SelectionRequest:
            e.requestor.change_property(e.property, e.target, 8, data)
            e.requestor.send_event(
                event.SelectionNotify(
                    time=e.time,
                    requestor=e.requestor,
                    selection=e.selection,
                    target=e.target,
                    property=e.property,
                )
            )
            d.flush()
        elif e.type == X.ClientMessage and e.client_type == atom("XdndFinished"):
            return
    sys.exit("the window did not take the drop")


if __name__ == "__main__":
    main()
