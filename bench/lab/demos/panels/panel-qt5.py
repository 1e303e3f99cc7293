"""A panel in Qt 5."""

from panel import WIDTH, recorder, spec
from PyQt5.QtWidgets import (
    QApplication,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)


def identify(widget, one):
    widget.setObjectName(one["id"])
    return widget


def labelled(one, widget):
    row, caption = QHBoxLayout(), QLabel(one["label"])
    caption.setBuddy(widget)
    row.addWidget(caption)
    row.addWidget(identify(widget, one), 1)
    return row


def entry(one):
    made = QLineEdit()
    made.textChanged.connect(lambda text: recorder.tell(**{one["id"]: text}))
    recorder.tell(**{one["id"]: ""})
    return labelled(one, made)


def check(one):
    made = QCheckBox(one["label"])
    made.toggled.connect(lambda is_on: recorder.tell(**{one["id"]: is_on}))
    recorder.tell(**{one["id"]: False})
    return identify(made, one)


def radio(one):
    row, group = QHBoxLayout(), QButtonGroup(window)
    for at, option in enumerate(one["options"]):
        made = QRadioButton(option["label"])
        made.setChecked(at == 0)
        made.toggled.connect(lambda is_on, key=option["id"]: is_on and recorder.tell(**{one["id"]: key}))
        group.addButton(identify(made, option))
        row.addWidget(made)
    recorder.tell(**{one["id"]: one["options"][0]["id"]})
    return row


def spin(one):
    made = QSpinBox()
    made.setRange(0, 100)
    made.textChanged.connect(lambda text: recorder.tell(**{one["id"]: text}))
    recorder.tell(**{one["id"]: "0"})
    return labelled(one, made)


def notes(one):
    made = QPlainTextEdit()
    made.setMaximumHeight(80)
    made.textChanged.connect(lambda: recorder.tell(**{one["id"]: made.toPlainText()}))
    recorder.tell(**{one["id"]: ""})
    return labelled(one, made)


def choice(one):
    made = QComboBox()
    made.addItems([option["label"] for option in one["options"]])
    made.currentIndexChanged.connect(lambda at: recorder.tell(**{one["id"]: one["options"][at]["id"]}))
    recorder.tell(**{one["id"]: one["options"][0]["id"]})
    return labelled(one, made)


def menu(one):
    made, pop_up = QPushButton(one["label"]), QMenu(window)
    for option in one["options"]:
        pop_up.addAction(option["label"], lambda key=option["id"]: recorder.press(key))
    made.setMenu(pop_up)
    return identify(made, one)


def tabs(one):
    made = QTabWidget()
    for page in one["options"]:
        made.addTab(button({"id": f"on-{page['id']}", "label": page["inside"]}), page["label"])
    made.currentChanged.connect(lambda at: recorder.tell(**{one["id"]: one["options"][at]["id"]}))
    recorder.tell(**{one["id"]: one["options"][0]["id"]})
    return made


def rows(one):
    box = QVBoxLayout()
    for line in one["options"]:
        row = QHBoxLayout()
        row.addWidget(QLabel(line["label"]), 1)
        for verb in one["verbs"]:
            row.addWidget(button({"id": f"{verb['id']}-{line['id']}", "label": verb["label"]}))
        box.addLayout(row)
    return box


def button(one):
    made = QPushButton(one["label"])

    def clicked():
        recorder.press(one["id"])
        if "dialog" in one:
            ask(one["dialog"])

    made.clicked.connect(clicked)
    return identify(made, one)


def ask(one):
    dialog = QDialog(window)
    dialog.setWindowTitle(one["title"])
    box = QVBoxLayout(dialog)
    box.addWidget(QLabel(one["text"]))
    answer = identify(QPushButton(one["label"]), one)
    answer.clicked.connect(lambda: (recorder.press(one["id"]), dialog.accept()))
    box.addWidget(answer)
    dialog.setModal(True)
    dialog.show()


def label(one):
    return QLabel(one["label"])


kinds = {one.__name__: one for one in (entry, check, radio, spin, notes, choice, menu, tabs, rows, button, label)}
application = QApplication([spec["title"]])
if "font" in spec:
    font = application.font()
    font.setPointSize(spec["font"])
    application.setFont(font)
window = QWidget()
window.setWindowTitle(spec["title"])
whole = QVBoxLayout(window)
for control in spec["controls"]:
    made = kinds[control["kind"]](control)
    whole.addWidget(made) if isinstance(made, QWidget) else whole.addLayout(made)
window.resize(WIDTH, 200)
window.show()
application.exec_()
